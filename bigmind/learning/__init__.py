"""Learning from what is there already: instruction files, an assistant's own notes, exported conversations.

Nothing is learnt by itself. What could be is proposed, and a person accepts it or not; the files stay the truth, and
the store keeps of what was decided its digest only.
"""
