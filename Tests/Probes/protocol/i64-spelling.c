// Carries bits in the spelling of a number: {"i64":"+01"}.
// host: code E0523 exit 14
SAYS("{\"result\":{\"n\":{\"i64\":\"+01\"}}}\n")
