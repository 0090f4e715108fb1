"""Patiences: Zopf, Burgvögtin, Carpet and Archway, for one player."""
