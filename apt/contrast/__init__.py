"""Contrastive evaluation: does a model find the correct pronoun likelier than a wrong one?"""
