"""Meta-evaluation: how well do metric scores agree with what people say, and how sure is that?

See docs/meta.md for what is computed.
"""
