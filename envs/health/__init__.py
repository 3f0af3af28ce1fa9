"""A clinic's records office and ward desk, where an assistant acts for members of staff under HIPAA.

Sources: 45 CFR Part 164, Subpart C (security), Subpart D (breach notice) and Subpart E (privacy); for
prescriptions 21 U.S.C. 829(e).
"""
