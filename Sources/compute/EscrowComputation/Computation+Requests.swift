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
        var file: (any RequestFile)?
        if let handle = request.asset {
            // A file that goes to nobody is not opened: an endpoint without one refuses it by its own rules.
            let endpoint = manifest.egress.first { $0.name == request.endpoint }
            do throws(AssetRefusal) {
                let asset = try open(handle, among: endpoint?.body.asset?.mediaTypes ?? [])
                file = asset
                if let part = request.part {
                    guard part.upperBound <= asset.size else {
                        throw .answer(code: "asset-part", message: "the file has no such part")
                    }
                    file = PartOfFile(asset, part)
                }
            } catch {
                switch error {
                case .answer(let code, let message):
                    return try send(session.answer(error: code, message: message), to: process)
                case .limit(let limit): throw .limit(limit)
                }
            }
        }
        if let announced = request.announced {
            let types = manifest.egress.first { $0.name == request.endpoint }?.body.asset?.mediaTypes ?? []
            let head = Array(request.made.prefix(MediaSignature.reach))
            guard let type = MediaSignature.type(among: types, named: announced.mediaType, head) else {
                return try send(
                    session.answer(
                        error: "asset-type",
                        message: "the bytes are of none of the media types in the manifest"),
                    to: process)
            }
            file = MadeFile(request.made, mediaType: type)
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
