"""Discord: asked and answered there. Its threads as documents are a package of their own, `source`."""
