// Writes NaN.
// host: code E0521 exit 14
SAYS("{\"result\":{\"n\":NaN}}\n")
