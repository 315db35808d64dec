"""UA-GEC: annotated Ukrainian texts, with their tokenised sentences.

Texts are a folder of annotated files beside a folder of tokenised sentences, as the Python package ``ua-gec`` has them.
"""
