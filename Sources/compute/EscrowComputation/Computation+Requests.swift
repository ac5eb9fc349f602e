import EscrowDiagnostics
import EscrowEgress
import EscrowManifest
import EscrowSandbox
import EscrowWire

/// Answers to a plugin that asks for requests to the network.
extension Computation {
    func answer(
        _ request: RequestAsk, _ session: inout Session, _ process: any PluginProcess
    ) throws(Stop) {
        let answer: Result<IncomingResponse, EgressRefusal>
        var file: OpenAsset?
        if let handle = request.asset {
            // A file that goes to nobody is not opened: an endpoint without one refuses it by its own rules.
            let endpoint = manifest.egress.first { $0.name == request.endpoint }
            do throws(AssetRefusal) {
                file = try open(handle, among: endpoint?.body.asset?.mediaTypes ?? [])
            } catch {
                switch error {
                case .answer(let code, let message):
                    return try send(session.answer(error: code, message: message), to: process)
                case .limit(let limit): throw .limit(limit)
                }
            }
        }
        do throws(Diagnostic) {
            answer =
                try fetcher?.fetch(request.endpoint, request.fields, with: file) ?? .failure(Self.undeclared)
        } catch { throw .host(error) }
        switch answer {
        case .success(let response):
            try send(
                session.answer(
                    status: response.status, bytes: response.body.count, mediaType: response.mediaType),
                to: process)
            try send(response.body, to: process)
        case .failure(let refusal): try refuse(refusal, &session, process)
        }
    }

    func answer(
        together requests: [RequestAsk], _ session: inout Session, _ process: any PluginProcess
    ) throws(Stop) {
        let answer: Result<[Result<IncomingResponse, EgressRefusal>], EgressRefusal>
        do throws(Diagnostic) {
            answer = try fetcher?.fetch(together: requests) ?? .failure(Self.undeclared)
        } catch { throw .host(error) }
        let ends: [Result<IncomingResponse, EgressRefusal>]
        switch answer {
        case .success(let all): ends = all
        case .failure(let refusal): return try refuse(refusal, &session, process)
        }
        let told = ends.map { end -> RequestEnd in
            switch end {
            case .success(let response):
                .response(
                    status: response.status, bytes: response.body.count, mediaType: response.mediaType)
            case .failure(let refusal): .error(code: refusal.code.rawValue, message: Self.notSent)
            }
        }
        try send(session.answer(together: told), to: process)
        for end in ends {
            if case .success(let response) = end { try send(response.body, to: process) }
        }
    }

    /// The code alone: what else there is to say is for the owner.
    private func refuse(
        _ refusal: EgressRefusal, _ session: inout Session, _ process: any PluginProcess
    ) throws(Stop) {
        try send(session.answer(error: refusal.code.rawValue, message: Self.notSent), to: process)
    }

    private static let notSent = "not sent"

    private static let undeclared = EgressRefusal(
        .undeclared,
        Diagnostic(
            .endpointNotDeclared, "the plugin asked for an endpoint that its manifest does not declare"))
}
