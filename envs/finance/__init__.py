"""A European bank whose assistant serves customers online, under PSD2 and the rules on strong authentication.

Sources: Directive (EU) 2015/2366; Delegated Regulation (EU) 2018/389; Regulation (EU) No 260/2012, Article 5c.
"""
