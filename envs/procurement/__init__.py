"""Procurement: a purchasing department under its manual.

Stock before purchase, quotations, delegation, segregation of duties, three-way match.
"""
