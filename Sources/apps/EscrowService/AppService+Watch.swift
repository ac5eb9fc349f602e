import EscrowAppHost
import EscrowAppWire
import EscrowDiagnostics
import EscrowFiles
import EscrowHome
import EscrowHost
import EscrowJSON

/// Where a dataflow stands, told to its app whenever that changes.
extension AppService {
    /// Tells it now and after each change, on this thread, until the client goes.
    func watch(_ exchange: Exchange) {
        do throws(Refusal) {
            // Before the token is looked up, so that none is taken back unseen.
            let seen = stamps()
            let (request, payer) = try self.request(exchange)
            guard let seat = watchers.begin(payer) else {
                throw Refusal(.tooManyRequestsOpen, "too many requests are open at once", 429)
            }
            defer { watchers.end(seat) }
            do throws(Diagnostic) { try watch(exchange, request, seat.cancellation, since: seen) } catch {
                exchange.reply(.answer(Answer(HostFailure(error))))
            }
        } catch {
            exchange.reply(.answer(error.full))
        }
    }

    private func watch(
        _ exchange: Exchange, _ request: RunRequest, _ gone: Runner.Cancellation, since: [FileStamp?]
    ) throws(Diagnostic) {
        var seen = since
        // What cannot be asked for is a problem, and no stream.
        var told = try planned(request)
        let stream = EventStream()
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
                let now = stamps()
                defer { seen = now }
                return now == seen ? nil : true
            }
            guard !gone.isCancelled else { break }
            let status = try? planned(request)
            do throws(Refusal) { try stillKnown(exchange, request) } catch {
                return stream.fail(error.failure)
            }
            guard let status, status != told else { continue }
            told = status
            stream.send("status", ["status": .string(status.rawValue)])
        }
        stream.finish()
    }

    /// The state of the files that a stream of statuses follows from: what was decided, and which tokens prove an app.
    private func stamps() -> [FileStamp?] {
        decisionStamps() + [FileStamp(path: host.home.path + "/apps.json")]
    }

    private func planned(_ request: RunRequest) throws(Diagnostic) -> ConsentStatus {
        try Runner(host: try hostForRun()).plan(request).status
    }
}
