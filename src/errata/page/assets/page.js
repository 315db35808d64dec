console
