// Refuses and exits with 1.
// host: code E0540 exit 16
MISDEED {
    say("{\"refuse\":{\"code\":\"other\",\"message\":\"\"}}\n");
    return 1;
}
