import CAppPeers
public import EscrowDiagnostics
import EscrowFiles
import Glibc

/// A socket of one app's own: made here, answered by the service for as long as the connection that it was handed over by stays.
public final class OwnSocket: Sendable {
    /// Where it lies.
    public var path: String { folder.path + "/service.sock" }
    private let folder: AppFolder
    private let app: String
    private let place: ServicePlace
    private let listener: Int32

    /// Makes it and hands it over. E1251 where no service runs.
    public init(for app: String, _ place: ServicePlace) throws(Diagnostic) {
        self.app = app
        self.place = place
        guard place.isOurs else { throw Self.noService }
        folder = try AppFolder(in: place)
        do throws(Diagnostic) {
            listener = try ServicePlace.listen(at: folder.path + "/service.sock").release()
        } catch {
            folder.remove()
            throw error
        }
        guard let connection = handOver() else {
            folder.remove()
            throw Self.noService
        }
        let raw = connection.release()
        _ = SystemThread.start(name: "own-socket") { [self] in keep(raw) }
    }

    private static let noService = Diagnostic(
        .noService, "the service does not run, or did not take the app's socket",
        help: "start it: systemctl --user start escrow.socket, or escrow serve")

    /// Takes the socket's file away.
    public func end() { folder.remove() }

    /// Notes what the app may change for as long as it runs, and tells what others may that run. Noted first: of two that begin at once
    /// one sees the other.
    public func share(writable: [String]) throws(Diagnostic) -> [String] {
        try folder.note(writable: writable)
        return try folder.writableByOthers()
    }

    /// Hands it to a service that was started anew.
    private func keep(_ first: Int32) {
        var connection = first
        while true {
            var byte: UInt8 = 0
            while retrying({ read(connection, &byte, 1) }) > 0 {}
            close(connection)
            var next = handOver()
            while next == nil {
                sleep(1)
                next = handOver()
            }
            connection = next.take()!.release()
        }
    }

    private func handOver() -> Descriptor? {
        guard let connection = ServicePlace.connectToOurs(place.control) else { return nil }
        let words = Array(app.utf8)
        guard app_send(connection.raw, words, words.count, listener) else { return nil }
        var answer: UInt8 = 0
        guard retrying({ read(connection.raw, &answer, 1) }) == 1, answer == UInt8(ascii: "+") else {
            return nil
        }
        return connection
    }
}
