"""A smart-home operator that looks after households' connected devices, under ETSI EN 303 645.

Sources: ETSI EN 303 645 V2.1.1; Regulation (EU) 2024/2847, Annex I; EN 60335-1, clause 22, on remote operation.
"""
