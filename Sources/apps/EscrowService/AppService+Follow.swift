import EscrowAppHost
import EscrowAppWire
import EscrowDiagnostics
import EscrowHost
import EscrowJSON
import EscrowLocation

/// Live location of apps: a stream of results for as long as the app stays.
extension AppService {
    /// The most bytes of results that wait for an app that does not read.
    private static let mostWaiting = 8 << 20

    func follows(_ exchange: Exchange, _ word: String) {
        guard let mode = FollowMode(rawValue: word) else { return none(exchange) }
        let (request, payer): (RunRequest, Payer)
        do throws(Refusal) { (request, payer) = try self.request(exchange) } catch {
            return exchange.reply(.answer(error.full))
        }
        guard request.place != nil else {
            let failure = HostFailure(AppWireError(.wrongShape, member: "place"))
            return exchange.reply(.answer(Answer(failure, status: 400)))
        }
        guard let seat = watchers.begin(payer) else {
            let failure = HostFailure(AppWireError(.tooManyOpen))
            return exchange.reply(.answer(Answer(failure, status: 429)))
        }
        defer { watchers.end(seat) }
        let cancellation = seat.cancellation
        do throws(Diagnostic) {
            let follow = try AppFollow(
                request, mode, source: .ofMachine(gpsdPort: host.gpsdPort), cancellation: cancellation
            ) { [self] () throws(Diagnostic) in
                // Each run has its host of this.
                do throws(Refusal) { try stillKnown(exchange, request) } catch {
                    throw Diagnostic(error.code, "the app's token was taken back while it followed")
                }
                return try hostForRun()
            }
            stream(follow, exchange, request, cancellation)
        } catch {
            do throws(Refusal) { try stillKnown(exchange, request) } catch {
                return exchange.reply(.answer(error.full))
            }
            // Nothing was read yet.
            host.noteFailure(error, app: request.app, plugin: request.plugin, hasReadData: false)
            exchange.reply(.answer(Answer(HostFailure(error))))
        }
    }

    private func stream(
        _ follow: AppFollow, _ exchange: Exchange, _ request: RunRequest, _ cancellation: Runner.Cancellation
    ) {
        let stream = EventStream(most: Self.mostWaiting)
        stream.whenEnded { cancellation.cancel() }
        exchange.link.begin { cancellation.cancel() }
        exchange.reply(.events(stream))
        do throws(Diagnostic) {
            try follow.run { result in
                do throws(AppWireError) { stream.send("result", try AppResult(result).json) } catch {
                    cancellation.cancel()
                }
            }
        } catch {
            do throws(Refusal) { try stillKnown(exchange, request) } catch {
                return stream.fail(error.failure)
            }
            if !cancellation.isCancelled {
                host.noteFailure(
                    error, app: request.app, plugin: request.plugin, hasReadData: cancellation.hasReadData)
            }
            stream.fail(HostFailure(error, hasReadData: cancellation.hasReadData))
        }
        stream.finish()
    }
}

extension EventStream {
    /// Tells why it ends, and ends it.
    func fail(_ failure: HostFailure) {
        send(
            "error",
            [
                "code": .string(failure.code), "title": .string(failure.message),
                "exit": .integer(Int64(failure.status)),
            ])
        finish()
    }
}
