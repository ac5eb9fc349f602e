import CCurl
import EscrowEgressWire
import EscrowFiles
import Glibc

// The network's side of escrow: reads one request at a time from its stdin, a socket, sends it, and reports the answer.
// docs/spec/egress.md, section 3. The host starts it; it ends when the host closes the socket.

/// Ends at once with a status that says where it failed.
func give(up status: Int32) -> Never { exit(status) }

Crash.leavesNothing()
signal(SIGPIPE, SIG_IGN)
var kind: Int32 = 0
var size = socklen_t(MemoryLayout<Int32>.size)
guard getsockopt(0, SOL_SOCKET, SO_TYPE, &kind, &size) == 0 else {
    let words = Array("escrow-egress is started by escrow, which tells it what to send\n".utf8)
    _ = write(2, words, words.count)
    give(up: 64)
}
guard escrow_curl_begin() == CURLE_OK else { give(up: 1) }
guard Walls.build() == 0 else { give(up: 20) }

do throws(WireFault) {
    var socket = MessageSocket(0)
    guard let line = try socket.line(atMost: SendGreeting.longestLine, within: nil) else { throw .ended }
    let roots = try socket.bytes(try SendGreeting(line: line).roots, within: nil)
    var sender = Sender(socket, roots: roots)
    while try sender.serve() {}
} catch {
    give(up: 2)
}
