import EscrowAppHost
import EscrowAppWire
import EscrowApps
import EscrowConsent
import EscrowDiagnostics
import EscrowHost

/// Who asks.
extension AppService {
    /// The app that asks, where it is proved, by its connection or by a token; nil where nothing proves any.
    func proved(_ exchange: Exchange) throws(Refusal) -> (app: String, proof: AppProof)? {
        let peer = exchange.link.peer
        if let app = peer.app { return (app, peer.proof) }
        guard let header = exchange.headers["authorization"] else { return nil }
        guard header.lowercased().hasPrefix("bearer ") else {
            throw Refusal(.tokenUnknown, "a token goes behind the word Bearer", 401)
        }
        let token = String(header.dropFirst(7).drop { $0 == " " })
        let app: String?
        do throws(Diagnostic) { app = try apps.app(token: token) } catch {
            throw Refusal(error.code, error.exitStatus.appSentence, 500)
        }
        guard let app else {
            throw Refusal(.tokenUnknown, "the token is none that was given out", 401)
        }
        return (app, .token)
    }

    /// The app that asks, how it is known, and who pays; an answer where it cannot be taken.
    private func identity(
        _ exchange: Exchange, claimed: String?
    ) throws(Refusal) -> (app: String, proof: AppProof, payer: Payer) {
        if let (app, proof) = try proved(exchange) {
            guard claimed == nil || claimed == app else {
                throw Refusal(.anotherApp, "the program is known as another app", 403)
            }
            return (app, proof, Payer(share: app, isProved: true))
        }
        guard let claimed else { throw Refusal(.appID, "the program does not say which app it is", 401) }
        guard Dataflow.isAppID(claimed) else {
            throw Refusal(.appID, "the request was not understood", 400)
        }
        return (claimed, .claim, exchange.link.peer.payer)
    }

    /// Looks again whether a request's app is known as it was: while a stream is open, a token may be taken back.
    func stillKnown(_ exchange: Exchange, _ request: RunRequest) throws(Refusal) {
        // How a connection is known ends with it.
        if request.proof == .token { _ = try identity(exchange, claimed: request.app) }
    }

    /// An answer to a request that is not taken.
    struct Refusal: Error {
        let code: Diagnostic.Code
        private let message: String
        private let status: UInt32

        init(_ code: Diagnostic.Code, _ message: String, _ status: UInt32) {
            (self.code, self.message, self.status) = (code, message, status)
        }

        var full: Answer {
            var answer = Answer(code, message, status: status)
            if status == 401 { answer.headers.append(("WWW-Authenticate", "Bearer")) }
            return answer
        }

        /// The same for a stream that it ends.
        var failure: HostFailure {
            HostFailure(code: code.rawValue, status: code.exitStatus.rawValue, message: message)
        }
    }

    /// What an app asks for, with its app filled in where it is proved.
    func request(
        _ exchange: Exchange
    ) throws(Refusal) -> (request: RunRequest, payer: Payer) {
        let type = exchange.headers["content-type"]?.split(separator: ";").first?.lowercased()
        guard type?.trimmed == "application/json" else {
            throw Refusal(.requestNotTaken, "the content must be application/json", 415)
        }
        let body: RunBody
        let isNamed: Bool
        do throws(AppWireError) {
            (body, isNamed) = try RunBody.read(exchange.body)
        } catch {
            throw Refusal(error.code, error.message, 400)
        }
        let (app, proof, payer) = try identity(exchange, claimed: isNamed ? body.app : nil)
        var request = RunRequest(body)
        request.app = app
        request.proof = proof
        return (request, payer)
    }
}
