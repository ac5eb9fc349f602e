# Asks to trust a key of another algorithm.
# host: code E0311 exit 12
def during(home):
    made = ["openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"]
    private = subprocess.run(made, check=True, capture_output=True).stdout
    public = subprocess.run(["openssl", "pkey", "-pubout", "-outform", "DER"], input=private, check=True, capture_output=True)
    print(home.told(home.escrow("trust", "add", "org.evil.*", base64.b64encode(public.stdout).decode())))
