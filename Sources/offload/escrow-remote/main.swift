import EscrowFiles
import EscrowGRPC
import EscrowJSON
import EscrowOffloadWire
import Glibc

// Speaks with one server for one host, over the socket that is its stdin. It has no file, no environment and no other
// descriptor; what passes through is neither read nor kept.
Crash.leavesNothing()
signal(SIGPIPE, SIG_IGN)
let socket = FrameSocket(0)
guard Walls.build() else {
    // By name, before anything was read: the host says it to the individual.
    try? socket.send(.ended(.wallMissing))
    exit(3)
}
HostWatch.start(0)

guard case .connect(let bytes)? = try? socket.receive(),
    let target = try? RemoteTarget(try JSONParser.parse(bytes))
else { exit(2) }
LoopExecutor.useOneLoop()
let executor = LoopExecutor()
let loop = executor.loop
guard let host = try? await HostLink.make(over: socket.descriptor, on: loop) else { exit(2) }
exit(
    await withTaskExecutorPreference(executor) {
        await Caller(host: host, target: target, loop: loop).serve()
    })
