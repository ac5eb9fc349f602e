// Gives its result and forks, so that something of it stays.
// host: code E0511 exit 14
// says: it called clone(
MISDEED {
    tell(1);
    if (fork() == 0) wait_for_ever();
    return 0;
}
