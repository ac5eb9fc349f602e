// Writes JSON as JavaScript would take it: a comment, and a name without quotes.
// host: code E0521 exit 14
SAYS("{result:{n:1}} // done\n")
