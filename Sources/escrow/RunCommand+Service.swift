import EscrowAppWire
import EscrowApps
import EscrowConsent
import EscrowConsole
import EscrowDiagnostics
import EscrowHome
import EscrowHost
import EscrowJSON
import EscrowRelational
import EscrowServiceCall
import EscrowTabular

/// A run by the service, where one runs: its plugins wait ready there. What is undecided is asked about here, on the terminal of
/// whoever ran the command.
///
/// A signal ends this process, and with its connection the run.
extension RunCommand {
    /// The service that is to run it, and the request; nil where this process runs it itself, since more is to be said of the run than the
    /// service tells any program.
    func service() -> (socket: String, document: [UInt8])? {
        let isPlain =
            !dryRun && !preview && !wait && !timings && !log && coarser.isEmpty && server == nil
            && engine.engine == .pushdown
        guard isPlain, let location = try? home.location(),
            let socket = ServiceReach.socket(home: home.home, at: location),
            !ServicePlace.isAnothers(socket),
            let document = try? body().document()
        else { return nil }
        return (socket, document)
    }

    /// Whether the service would run it without a question.
    func isDecided(_ service: (socket: String, document: [UInt8])) -> Bool {
        guard let told = try? ServiceCall().send("POST", "/v1/status", to: service.socket, service.document)
        else { return false }
        return told.status == 200 && (try? ConsentStatus.read(told.body)) == .authorized
    }

    /// Has the service run it, and shows the result; false where this process has to: records are to be picked, or the service is
    /// full.
    func run(by service: (socket: String, document: [UInt8]), _ spinner: Spinner?) throws -> Bool {
        let result: AppResult
        do throws(HostFailure) {
            defer { spinner?.stop() }
            let answer = try ServiceCall().send("POST", "/v1/runs", to: service.socket, service.document)
            guard answer.status == 200, let read = try? AppResult.read(answer.body) else {
                throw (try? HostFailure.read(problem: answer.body)) ?? .noService
            }
            result = read
        } catch {
            // There is nobody to pick there; here there may be. Nor does it begin what it has no room for.
            let ownCodes: [Diagnostic.Code] = [.nobodyToPick, .tooManyRequestsOpen]
            if ownCodes.contains(where: { error.code == $0.rawValue }) { return false }
            throw failure(error)
        }
        switch result {
        case .bytes(let bytes, let mediaType):
            try Self.show(.bytes(bytes, mediaType: mediaType), nil, isJSON: format.isJSON)
        case .value(let value, let columns): try Self.show(.json(value), columns, isJSON: format.isJSON)
        }
        return true
    }

    /// What the service told this program, with what it keeps for the individual alone.
    private func failure(_ told: HostFailure) -> Diagnostic {
        let kept = (try? home.location()).flatMap { location in
            try? FailureLog(home: location).entries().last {
                $0.app == app && $0.plugin == plugin && $0.code == told.code
            }
        }
        let words = (kept?.words ?? []).map { PlainText.neutral($0, longest: 600) }
        return Diagnostic(
            Diagnostic.Code(rawValue: told.code) ?? .ownFault, words.count > 1 ? words[0] : told.message,
            notes: words.count > 1
                ? Array(words.dropFirst()) : ["the service ran it, and keeps no more than that"],
            help: "have it run on this terminal alone, with what the plugin says: add --log")
    }

    private func body() throws(Diagnostic) -> RunBody {
        var body = RunBody(app: app, sql: sql, compute: plugin)
        for parameter in parameters {
            let (name, value) = try Parameters.split(parameter)
            body.arguments.append((name, .string(value)))
        }
        for (name, value) in try Parameters.bindings(parameters).sorted(by: { $0.key < $1.key }) {
            switch value {
            case .integer(let number): body.bindings.append((name, .integer(number)))
            case .real(let number): body.bindings.append((name, .real(number)))
            case .text(let text): body.bindings.append((name, .string(String(text))))
            default: body.bindings.append((name, .null))
            }
        }
        return body
    }
}
