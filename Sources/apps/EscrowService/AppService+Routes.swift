import EscrowAppHost
import EscrowAppWire
import EscrowConsent
import EscrowDiagnostics
import EscrowHost
import EscrowJSON
import EscrowSources
import EscrowTrust

/// What the service has at which path. `docs/spec/service.openapi.json` describes it to clients.
extension AppService {
    func answer(_ exchange: Exchange) {
        guard !exchange.isTooLong else {
            return exchange.reply(.answer(Answer(.requestNotTaken, "the request is too long", status: 413)))
        }
        var parts = exchange.path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count >= 2, parts[0].isEmpty, parts[1] == "v1" else { return none(exchange) }
        parts.removeFirst(2)
        switch (parts.first ?? "", parts.count) {
        case ("", 0...1): allow(exchange, ["GET": { $0.about($1) }])
        case ("runs", 1): allow(exchange, ["POST": { $0.begin($1) }])
        case ("runs", 2):
            let id = parts[1]
            allow(exchange, ["GET": { $0.show($1, id) }, "DELETE": { $0.withdraw($1, id) }])
        case ("runs", 3) where parts[2] == "events":
            let id = parts[1]
            allow(exchange, ["GET": { $0.follow($1, id) }])
        case ("follows", 2):
            let mode = parts[1]
            allow(exchange, ["POST": { $0.follows($1, mode) }])
        case ("status", 1): allow(exchange, ["POST": { $0.status($1) }])
        case ("explanations", 1): allow(exchange, ["POST": { $0.explain($1) }])
        case ("schema", 1): allow(exchange, ["GET": { $0.schema($1) }])
        case ("plugins", 1): allow(exchange, ["GET": { $0.plugins($1) }])
        default: none(exchange)
        }
    }

    func none(_ exchange: Exchange) {
        exchange.reply(.answer(Answer(.noSuchResource, "there is nothing at this path", status: 404)))
    }

    private func allow(_ exchange: Exchange, _ methods: [String: (AppService, Exchange) -> Void]) {
        if let method = methods[exchange.method] { return method(self, exchange) }
        var answer = Answer(.requestNotTaken, "the method is none of this path", status: 405)
        answer.headers.append(("Allow", methods.keys.sorted().joined(separator: ", ")))
        exchange.reply(.answer(answer))
    }

    private func about(_ exchange: Exchange) {
        let known: (app: String, proof: AppProof)?
        do throws(Refusal) { known = try proved(exchange) } catch {
            return exchange.reply(.answer(error.full))
        }
        let view: JSONValue = [
            "escrow": .string(version), "app": known.map { JSONValue.string($0.app) } ?? JSONValue.null,
            "known": .string((known?.proof ?? AppProof.claim).rawValue),
        ]
        exchange.reply(.answer(Answer(200, view)))
    }

    // MARK: Runs

    private func begin(_ exchange: Exchange) {
        let request: RunRequest
        let run: ServiceRun
        let preference: Preference
        do throws(Refusal) {
            let payer: Payer
            (request, payer) = try self.request(exchange)
            preference = Preference(exchange.headers["prefer"])
            let key = exchange.headers["idempotency-key"]
            guard
                key.map({
                    (1...255).contains($0.utf8.count) && $0.utf8.allSatisfy { (0x21...0x7E).contains($0) }
                })
                    ?? true
            else {
                throw Refusal(
                    .requestNotTaken, "an Idempotency-Key has 1 to 255 visible ASCII characters", 400)
            }
            let asked = ServiceRun(app: request.app, proof: request.proof, payer: payer)
            switch book.open(asked, key: key, request: exchange.body, isNamed: preference.isAsync) {
            case .refused(let answer): return exchange.reply(.answer(answer))
            case .known(let old):
                return reply(exchange, old, preference, isOwner: false)
            case .new(let new): run = new
            }
        } catch {
            return exchange.reply(.answer(error.full))
        }
        reply(exchange, run, preference, isOwner: true)
        perform(run, request, patience: preference.patience)
    }

    /// Has an exchange answered with a run's end, or at once where that was preferred.
    private func reply(_ exchange: Exchange, _ run: ServiceRun, _ preference: Preference, isOwner: Bool) {
        if preference.isAsync {
            var answer = Answer(202, run.json)
            answer.headers += [
                ("Location", "/v1/runs/\(run.id)"), ("Preference-Applied", "respond-async"),
            ]
            return exchange.reply(.answer(answer))
        }
        // Whose client goes away before the answer has nobody to run for.
        exchange.link.begin { if isOwner { run.cancellation.cancel() } }
        run.whenEnded { outcome in
            switch outcome {
            case .success(let result):
                do throws(AppWireError) {
                    exchange.reply(.answer(Answer(200, try result.json)))
                } catch {
                    exchange.reply(.answer(Answer(HostFailure(error), status: 500)))
                }
            case .failure(let failure): exchange.reply(.answer(Answer(failure)))
            }
        }
    }

    private func found(_ exchange: Exchange, _ id: String) -> ServiceRun? {
        // A token that proves nothing finds nothing, as another app's.
        do throws(Refusal) {
            let known = try proved(exchange)
            if let run = book.run(id, app: known?.app, proof: known?.proof ?? .claim) { return run }
        } catch {}
        exchange.reply(.answer(Answer(.noSuchRun, "there is no such run", status: 404)))
        return nil
    }

    private func show(_ exchange: Exchange, _ id: String) {
        guard let run = found(exchange, id) else { return }
        exchange.reply(.answer(Answer(200, run.json)))
    }

    private func withdraw(_ exchange: Exchange, _ id: String) {
        guard let run = found(exchange, id) else { return }
        run.cancellation.cancel()
        book.forget(id)
        exchange.reply(.answer(Answer(empty: 204)))
    }

    private func follow(_ exchange: Exchange, _ id: String) {
        guard let run = found(exchange, id) else { return }
        let stream = EventStream()
        exchange.link.begin { stream.finish() }
        run.tell(stream)
        exchange.reply(.events(stream))
    }

    // MARK: What would be

    private func planned(_ exchange: Exchange, _ show: (RunPlan) -> JSONValue) {
        do throws(Refusal) {
            let (request, _) = try self.request(exchange)
            do throws(Diagnostic) {
                let runner = Runner(host: try hostForRun())
                exchange.reply(.answer(Answer(200, show(try runner.plan(request)))))
            } catch {
                exchange.reply(.answer(Answer(HostFailure(error))))
            }
        } catch {
            exchange.reply(.answer(error.full))
        }
    }

    private func status(_ exchange: Exchange) {
        if exchange.headers["accept"]?.contains("text/event-stream") ?? false { return watch(exchange) }
        planned(exchange) { ["status": .string($0.status.rawValue)] }
    }

    private func explain(_ exchange: Exchange) { planned(exchange, \.appView) }

    // MARK: What there is

    private func schema(_ exchange: Exchange) {
        exchange.reply(.answer(Answer(200, ["tables": .array(SourceRegistry.allSpecs.map(\.appView))])))
    }

    private func plugins(_ exchange: Exchange) {
        do throws(Diagnostic) {
            let plugins = try hostForRun().plugins().list()
            exchange.reply(.answer(Answer(200, ["plugins": .array(plugins.map(\.appView))])))
        } catch {
            exchange.reply(.answer(Answer(HostFailure(error))))
        }
    }
}
