import EscrowComputation
import EscrowDiagnostics
import EscrowEgress
import EscrowJSON
import EscrowManifest
import EscrowWire

/// The other side of a plugin's requests in a test case: what must be sent, in this order, and what comes back.
final class CannedFetcher: Fetcher {
    private let endpoints: [EgressEndpoint]
    private var exchanges: [Exchange]
    private var rule: AskRule
    /// What the host would tell of the individual's place.
    private let place: PlacesToSend.Point?
    private(set) var lastRefusal: EgressRefusal?

    private struct Exchange {
        let endpoint: String
        /// `GET /path?query`; nil where the case does not look.
        let sends: String?
        let answer: Result<(status: Int, body: [UInt8]), EgressRefusal>
    }

    /// Reads the member `fetch` of a case: docs/spec/cases.md.
    init(_ node: JSONNode?, place: JSONNode?, _ manifest: Manifest) throws(JSONError) {
        self.place = try place.map { (node) throws(JSONError) in
            var object = try JSONObjectReader(node)
            let point = PlacesToSend.Point(
                latitude: try object.required("latitude").requireString(),
                longitude: try object.required("longitude").requireString(),
                country: try object.optional("country")?.requireString() ?? "",
                region: try object.optional("region")?.requireString() ?? "",
                radius: try object.optional("radius")?.requireString() ?? "0")
            try object.finish()
            return point
        }
        endpoints = manifest.egress
        rule = AskRule(endpoints)
        exchanges = []
        for item in try node?.requireArray() ?? [] {
            var object = try JSONObjectReader(item)
            let endpoint = try object.required("to").requireString()
            let sends = try object.optional("sends")?.requireString()
            if let error = object.optional("error") {
                guard let code = EgressRefusal.Code(rawValue: try error.requireString()) else {
                    let words = EgressRefusal.Code.allCases.map(\.rawValue).joined(separator: ", ")
                    throw JSONError(.wrongType(expected: "one of \(words)"), at: error.position)
                }
                let refusal = EgressRefusal(
                    code, Diagnostic(.noAnswer, "the case has this request fail: \(code.rawValue)"))
                exchanges.append(Exchange(endpoint: endpoint, sends: sends, answer: .failure(refusal)))
            } else {
                let status = Int(clamping: try object.required("status").requireInteger())
                let body = try object.required("body").value
                let bytes = body.string.map { Array($0.utf8) } ?? JSONWriter.line(body)
                exchanges.append(
                    Exchange(endpoint: endpoint, sends: sends, answer: .success((status, bytes))))
            }
            try object.finish()
        }
    }

    func fetch(_ name: String, _ fields: JSONNode, with file: (any RequestFile)?) throws(Diagnostic)
        -> Result<
            IncomingResponse, EgressRefusal
        >
    {
        let endpoint = try declared(name)
        let request: OutgoingRequest
        do throws(EgressRefusal) {
            try rule.admit(together: false)
            request = try RequestTemplate(endpoint).fill(
                fields.value.members ?? [], at: place, with: file
            ).request
        } catch {
            lastRefusal = error
            return .failure(error)
        }
        return try answer(endpoint, request)
    }

    /// The case has them in the order in which the plugin asks; a host would send them in its own.
    func fetch(together asks: [RequestAsk]) throws(Diagnostic) -> Result<
        [Result<IncomingResponse, EgressRefusal>], EgressRefusal
    > {
        var prepared: [(endpoint: EgressEndpoint, request: OutgoingRequest)] = []
        for ask in asks {
            let endpoint = try declared(ask.endpoint)
            do throws(EgressRefusal) {
                if prepared.isEmpty { try rule.admit(together: true) }
                let filled = try RequestTemplate(endpoint).fill(ask.fields.value.members ?? [], at: place)
                prepared.append((endpoint, filled.request))
            } catch {
                lastRefusal = error
                return .failure(error)
            }
        }
        var ends: [Result<IncomingResponse, EgressRefusal>] = []
        var failed: EgressRefusal?
        for item in prepared {
            let end = try answer(item.endpoint, item.request)
            if case .failure(let refusal) = end { failed = refusal }
            ends.append(end)
        }
        lastRefusal = failed
        return .success(ends)
    }

    private func declared(_ name: String) throws(Diagnostic) -> EgressEndpoint {
        guard let endpoint = endpoints.first(where: { $0.name == name }) else {
            throw Diagnostic(
                .endpointNotDeclared, "the plugin asked for an endpoint that its manifest does not declare")
        }
        return endpoint
    }

    private func answer(
        _ endpoint: EgressEndpoint, _ request: OutgoingRequest
    ) throws(Diagnostic) -> Result<IncomingResponse, EgressRefusal> {
        let name = endpoint.name
        // The values of a case are mock values, so that they may be shown.
        let body = request.body.map { " " + String(decoding: $0, as: UTF8.self) } ?? ""
        let whole = "\(request.method) \(request.target)\(body)"
        let sent = next(isWhole: whole) ? whole : "\(request.method) \(request.target)"
        guard let next = exchanges.first, next.endpoint == name, next.sends ?? sent == sent else {
            throw Diagnostic(
                .caseFailed, "the case expects another request than \(name): \(sent)",
                notes: exchanges.first.map { ["expected: \($0.endpoint)\($0.sends.map { ": " + $0 } ?? "")"] }
                    ?? ["no further request is expected"])
        }
        exchanges.removeFirst()
        switch next.answer {
        case .success(let answer):
            guard answer.body.count <= endpoint.response.maxBytes else {
                throw Diagnostic(
                    .caseFailed, "the case's answer is larger than the manifest allows for \(name)")
            }
            lastRefusal = nil
            let whole = IncomingResponse(
                status: answer.status, body: answer.body, mediaType: endpoint.response.mediaType)
            guard let response = AnswerSieve(endpoint).sift(whole) else {
                throw Diagnostic(.caseFailed, "the case's answer is not strict JSON, which \(name) declares")
            }
            return .success(response)
        case .failure(let refusal):
            lastRefusal = refusal
            return .failure(refusal)
        }
    }

    /// Whether the case also says what the body is.
    private func next(isWhole text: String) -> Bool { exchanges.first?.sends == text }

    /// Throws E0284 where the plugin sent fewer requests than the case expects.
    func finish() throws(Diagnostic) {
        guard let next = exchanges.first else { return }
        throw Diagnostic(
            .caseFailed, "the plugin ended without a request that the case expects: \(next.endpoint)")
    }
}
