import ArgumentParser
import CAppPeers
import EscrowApps
import EscrowDiagnostics
import EscrowEgress
import EscrowEgressHTTP
import EscrowFiles
import EscrowHome
import EscrowHost
import EscrowManifest
import EscrowService
import Glibc

/// What `escrow serve` is: the service, in a process that holds nothing else.
struct ServiceOptions: ParsableArguments {
    @Option(help: "The escrow home (default: $ESCROW_HOME, else $XDG_DATA_HOME/escrow).") var home: String?
    @Option(help: "The folder of the sockets (default: escrow in $XDG_RUNTIME_DIR).") var runtime: String?
}

func say(_ words: String) {
    let bytes = Array((words + "\n").utf8)
    _ = write(2, bytes, bytes.count)
}

/// Sockets that the session's manager listens at for us, in the order of the unit: apps, then control. sd_listen_fds(3)
func handedOver() -> (open: Int32, control: Int32)? {
    guard getenv("LISTEN_PID").flatMap({ Int32(String(cString: $0)) }) == getpid(),
        getenv("LISTEN_FDS").map({ String(cString: $0) }) == "2"
    else { return nil }
    for descriptor: Int32 in [3, 4] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { unsetenv(name) }
    return (3, 4)
}

Crash.leavesNothing()
var none = sigset_t()
sigemptyset(&none)
pthread_sigmask(SIG_SETMASK, &none, nil)
signal(SIGCHLD, SIG_DFL)
signal(SIGPIPE, SIG_IGN)
ResolverEnvironment.clear()
LocalDay.isTheMachines()
// Results leave at fixed moments.
app_wait_exactly()
let options = ServiceOptions.parseOrExit()
do {
    // Each connection and each run has descriptors.
    var limit = rlimit()
    if getrlimit(__rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue)), &limit) == 0 {
        limit.rlim_cur = min(limit.rlim_max, 16_384)
        setrlimit(__rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue)), &limit)
    }
    let host = try Host(
        home: try Home.open(at: try Home.location(given: options.home)),
        transport: { egress throws(Diagnostic) in try HTTPTransport(additionalRoots: egress.trustRoots) })
    // Of another user than root it would be hidden from itself as well: it writes the maps of each plugin's user namespace through
    // /proc, while the plugin's memory is still its own. docs/service.md says what that leaves.
    if geteuid() == 0 { _ = app_hide_memory() }
    let service = try AppService(host: host, version: SemanticVersion.host.description)
    if let (open, control) = handedOver() {
        // Only for programs of the individual's own, which do as well without.
        try? ServicePlace(given: options.runtime).tell(home: host.home.path)
        try service.serve(open: open, control: control)
    }
    let place = try ServicePlace(given: options.runtime)
    try place.prepare()
    guard let lock = try FileLock.tryToAcquire(place.folder + "/service.lock") else {
        throw Diagnostic(
            .serviceRuns, "a service listens at \(place.service) already", help: "escrow app list")
    }
    let open = try ServicePlace.listen(at: place.service).release()
    let control = try ServicePlace.listen(at: place.control).release()
    try place.tell(home: host.home.path)
    say("listening at \(place.service)")
    try withExtendedLifetime(lock) { () throws(Diagnostic) -> Void in
        try service.serve(open: open, control: control)
    }
} catch {
    let diagnostic = error as? Diagnostic ?? Diagnostic(.ownFault, "the service cannot begin")
    say("\(diagnostic)")
    exit(diagnostic.exitStatus.rawValue)
}
