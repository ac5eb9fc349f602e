import EscrowFiles
import Glibc

/// One program's connection to the sound server, through the filter. For one thread.
final class SoundConnection {
    /// More than that does not wait for who is slow to read.
    private static let most = 64 << 10

    private let client: Descriptor
    private let server: Descriptor
    private var filter: SoundFilter
    private var toServer: [UInt8] = []
    private var toClient: [UInt8] = []
    private var clientEnded = false
    private var serverEnded = false

    init(_ client: consuming Descriptor, to server: consuming Descriptor, for app: String) {
        filter = SoundFilter(app: app)
        self.client = client
        self.server = server
    }

    /// What to wait for on both sides: the program's first.
    var waits: [pollfd] {
        let isRoom = toServer.count < Self.most && toClient.count < Self.most
        return [
            wait(client, reads: isRoom && !clientEnded && !serverEnded, writes: !toClient.isEmpty),
            wait(server, reads: toClient.count < Self.most && !serverEnded, writes: !toServer.isEmpty),
        ]
    }

    /// A side that is waited for nothing is left out: poll(2) would tell of its end again and again.
    private func wait(_ side: borrowing Descriptor, reads: Bool, writes: Bool) -> pollfd {
        let events = (reads ? POLLIN : 0) | (writes ? POLLOUT : 0)
        return pollfd(fd: events == 0 ? -1 : side.raw, events: Int16(events), revents: 0)
    }

    /// Does what can be done at once. False once the connection is over.
    func move(clientIsReady: Bool, serverIsReady: Bool, _ buffer: inout [UInt8]) -> Bool {
        do throws(SoundFault) {
            if clientIsReady, !clientEnded, let count = Self.read(client, &buffer) {
                clientEnded = count == 0
                toServer += try filter.fromClient(buffer[..<count])
            }
            if serverIsReady, !serverEnded, let count = Self.read(server, &buffer) {
                serverEnded = count == 0
                toClient += try filter.fromServer(buffer[..<count])
            }
            toClient += filter.takeRefusals()
        } catch {
            return false
        }
        // Nobody reads it any more.
        if clientEnded { toClient = [] }
        if serverEnded { toServer = [] }
        guard Self.write(&toClient, to: client), Self.write(&toServer, to: server) else { return false }
        return !(clientEnded && toServer.isEmpty) && !(serverEnded && toClient.isEmpty)
    }

    /// How much came, 0 at the end; nil where nothing did. Descriptors that were sent along are dropped by the kernel, as there is no
    /// room for them.
    private static func read(_ side: borrowing Descriptor, _ buffer: inout [UInt8]) -> Int? {
        let raw = side.raw
        let count = retrying { recv(raw, &buffer, buffer.count, Int32(MSG_DONTWAIT)) }
        return count >= 0 ? count : errno == EAGAIN ? nil : 0
    }

    /// Writes what can be written at once; false where nobody is left to read it.
    private static func write(_ bytes: inout [UInt8], to side: borrowing Descriptor) -> Bool {
        guard !bytes.isEmpty else { return true }
        let raw = side.raw
        let flags = Int32(MSG_DONTWAIT | MSG_NOSIGNAL)
        let count = retrying { send(raw, bytes, bytes.count, flags) }
        guard count >= 0 else { return errno == EAGAIN }
        bytes.removeFirst(count)
        return true
    }
}
