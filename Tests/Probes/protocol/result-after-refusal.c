// Refuses and then gives a result.
// host: code E0529 exit 14
SAYS("{\"refuse\":{\"code\":\"other\",\"message\":\"\"}}\n{\"result\":{\"n\":1}}\n")
