"""Keys, tokens and passwords in what is about to be stored: found, named, and masked. Knows no feature and no surface.

`masking.mask` replaces them, `scan.find` only names them, `masking.warm` loads the rules before the first is asked for.
"""
