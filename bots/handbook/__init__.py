"""The bundled handbook: documents of Lanefold, a company that does not exist, for `refdesk demo` and its tests.

Package data in three collections (`policies`, `runbooks`, `product`), English and Korean. No code reads
these files by name. PDF and DOCX are made by `tests/handbook/build.py`; the Korean PDFs embed subsets of
Nanum Gothic (SIL Open Font License 1.1).
"""
