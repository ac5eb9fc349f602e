import EscrowAppHost
import EscrowAppWire
import EscrowDiagnostics
import EscrowFiles
import EscrowHost
import EscrowJSON
import Synchronization

/// Where a dataflow stands, told to its app whenever that changes.
extension AppService {
    /// Tells it now and after each change, on this thread, until the client goes.
    func watch(_ exchange: Exchange) {
        do throws(Refusal) {
            let (request, share) = try self.request(exchange)
            guard watchers.begin(share) else {
                throw Refusal(.tooManyRequestsOpen, "too many requests are open at once", 429)
            }
            defer { watchers.end(share) }
            do throws(Diagnostic) { try watch(exchange, request) } catch {
                exchange.reply(.answer(Answer(HostFailure(error))))
            }
        } catch {
            exchange.reply(.answer(error.full))
        }
    }

    private func watch(_ exchange: Exchange, _ request: RunRequest) throws(Diagnostic) {
        var seen = decisionStamps()
        // What cannot be asked for is a problem, and no stream.
        var told = try planned(request)
        let stream = EventStream()
        let gone = Runner.Cancellation()
        stream.whenEnded { gone.cancel() }
        exchange.link.begin {
            stream.finish()
            gone.cancel()
        }
        stream.send("status", ["status": .string(told.rawValue)])
        exchange.reply(.events(stream))
        while !gone.isCancelled {
            // What ends by time alone is seen within half a minute.
            let until = monotonicNanoseconds() + 30_000_000_000
            _ = try? desk.wait(until: until, gone) { () throws(Diagnostic) -> Bool? in
                let now = decisionStamps()
                defer { seen = now }
                return now == seen ? nil : true
            }
            guard !gone.isCancelled, let status = try? planned(request), status != told else { continue }
            told = status
            stream.send("status", ["status": .string(status.rawValue)])
        }
        stream.finish()
    }

    private func planned(_ request: RunRequest) throws(Diagnostic) -> ConsentStatus {
        try Runner(host: try hostForRun()).plan(request).status
    }
}

/// How many streams of statuses and of live location are open, by whose they are: each has a thread.
final class Watchers: Sendable {
    private let open = Mutex<[String: Int]>([:])
    /// The most of one app, or of one process that proves nothing; and of all.
    static let mostOfShare = 8
    static let most = 64

    /// False where there are too many.
    func begin(_ share: String) -> Bool {
        open.withLock { open in
            guard open[share, default: 0] < Self.mostOfShare, open.values.reduce(0, +) < Self.most else {
                return false
            }
            open[share, default: 0] += 1
            return true
        }
    }

    func end(_ share: String) {
        open.withLock { open in
            guard let count = open[share] else { return }
            open[share] = count > 1 ? count - 1 : nil
        }
    }
}
