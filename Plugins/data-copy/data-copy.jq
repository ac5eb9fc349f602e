# The identity function: what comes in goes out.
inputs
