import EscrowDiagnostics
public import EscrowJSON
public import EscrowManifest

/// Makes requests of an endpoint: the fixed template, with the values of its fields in their places.
public struct RequestTemplate: Sendable {
    /// What every request of every host says of itself. It has no version: one that few people run would set them apart.
    public static let userAgent = "escrow"

    let endpoint: EgressEndpoint
    /// Where a server of the individual's own is; nil for the internet's.
    let own: OwnServer?

    /// Takes an endpoint, and where it is if it is the individual's own.
    public init(_ endpoint: EgressEndpoint, own: OwnServer? = nil) {
        self.endpoint = endpoint
        self.own = own
    }

    /// A filled-in request and the values in it, in the manifest's order.
    public struct Filled: Sendable {
        /// What is sent.
        public let request: OutgoingRequest
        /// What was filled in.
        public let values: [FieldValue]
    }

    /// Fills in the fields, or says which one cannot be: E0603. Those of one value, and those of the individual's place, are the
    /// host's.
    public func fill(
        _ given: [(name: String, value: JSONValue)], at place: PlacesToSend.Point? = nil,
        with file: (any RequestFile)? = nil
    ) throws(EgressRefusal) -> Filled {
        var values: [FieldValue] = []
        for field in endpoint.fields {
            do throws(FieldProblem) {
                let named = given.first { $0.name == field.name }?.value
                if let part = field.part {
                    guard named == nil else { throw .hosts }
                    guard let place else { throw .missing }
                    values.append(try FieldValue(placed: place.text(of: part), for: field))
                    continue
                }
                let filled = field.constant?.json
                if let filled, let named, named != filled { throw .bounds }
                guard let value = filled ?? named else { throw .missing }
                // The text of a mail is packed so that no line of it can end anything.
                let hasLines = endpoint.method == .mail && field.name == "text"
                values.append(try FieldValue(value, for: field, hasLines: hasLines))
            } catch {
                throw invalid("the field \(field.name)", error)
            }
        }
        // The name is the plugin's and may hold anything, so it is not repeated.
        guard given.allSatisfy({ item in endpoint.fields.contains { $0.name == item.name } }) else {
            throw invalid("a field", .unknown)
        }
        guard endpoint.method == .get || NestedBody.fits(values.inBody) else {
            throw invalid("a list", .bounds)
        }
        guard (endpoint.body.asset == nil) == (file == nil),
            file.map({ $0.isMade == endpoint.body.isMade }) ?? true
        else {
            throw invalid("the file", file == nil ? .missing : .unknown)
        }
        if let asset = endpoint.body.asset, let file, file.size > asset.maxBytes {
            throw invalid("the file", .bounds)
        }
        if endpoint.method == .mail {
            guard MailMessage.isAddress(values[0].text) else { throw invalid("the field to", .characters) }
            return Filled(request: mail(values), values: values)
        }
        return Filled(request: request(values, file), values: values)
    }

    /// The fields are those that the manifest must have: to, subject, text.
    private func mail(_ values: [FieldValue]) -> OutgoingRequest {
        OutgoingRequest(
            method: endpoint.method.rawValue, host: own?.authority ?? endpoint.template.host, target: "",
            headers: MailMessage.headers(to: values[0].text, subject: values[1].text),
            body: MailMessage.body(values[2].text), scheme: "submissions", recipient: values[0].text)
    }

    private func invalid(_ what: String, _ problem: FieldProblem) -> EgressRefusal {
        EgressRefusal(
            .fieldInvalid,
            Diagnostic(
                .fieldNotSendable,
                "\(what) of \(endpoint.name) \(problem.rawValue), so the request was not sent",
                help: "plugin authors: the endpoint's fields are in the manifest under egress"))
    }

    private static func path(_ segments: [EgressTemplate.Segment], _ values: [FieldValue]) -> String {
        segments.map { segment in
            switch segment {
            case .constant(let text): "/" + text
            case .field(let name):
                "/" + PercentEncoding.encode(values.first { $0.field.name == name }?.text ?? "")
            }
        }.joined()
    }

    private func request(_ values: [FieldValue], _ file: (any RequestFile)?) -> OutgoingRequest {
        if let effect = endpoint.template.effect {
            return OutgoingRequest(
                method: endpoint.method.rawValue, host: effect.rawValue, target: effect.rawValue, headers: [],
                body: JSONWriter.line(NestedBody.value(values)), scheme: "device")
        }
        var target = own?.base ?? ""
        target += Self.path(endpoint.template.path, values)
        if target.isEmpty { target = "/" }
        var query = ""
        for value in values where value.field.location == .query {
            if let separator = value.field.separator {
                query += PercentEncoding.encode(separator.rawValue)
            } else {
                query += (query.isEmpty ? "?" : "&") + PercentEncoding.encode(value.field.wireName) + "="
            }
            query += PercentEncoding.encode(value.text)
        }
        target += query
        let host = own?.authority ?? endpoint.template.host
        var headers: [OutgoingRequest.Header] = [
            .init(name: "host", value: host),
            .init(name: "user-agent", value: Self.userAgent),
            .init(name: "accept", value: endpoint.response.mediaType),
            .init(name: "accept-encoding", value: "gzip"),
        ]
        headers += values.filter { $0.field.location == .header }
            .map { .init(name: $0.field.wireName, value: $0.text) }
        if let destination = endpoint.destination {
            // One of the same server: RFC 4918 section 10.3.
            let scheme = own?.isPlain == true ? "http" : "https"
            let place = (own?.base ?? "") + Self.path(destination, values)
            headers.append(.init(name: "destination", value: "\(scheme)://\(host)\(place)"))
            headers.append(.init(name: "overwrite", value: "T"))
        }
        if endpoint.method == .propfind { headers.append(.init(name: "depth", value: "1")) }
        if endpoint.isUnlinkable { headers.append(.init(name: "connection", value: "close")) }
        let made = RequestBody(endpoint, values, file)
        if let made {
            headers.append(.init(name: "content-type", value: made.mediaType))
            // Spelled and placed as the transport writes it, so that the record has the very bytes.
            headers.append(.init(name: "Content-Length", value: String(made.count)))
        }
        return OutgoingRequest(
            method: endpoint.method.rawValue, host: host, target: target, headers: headers,
            body: made?.bytes, payload: made?.payload)
    }
}

/// Percent-encoding of RFC 3986 section 2.1: everything but the unreserved characters.
enum PercentEncoding {
    static func encode(_ text: String) -> String {
        var output: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: output.append(byte)
            default:
                output.append(0x25)
                output += [byte >> 4, byte & 15].map { $0 < 10 ? 0x30 + $0 : 0x37 + $0 }
            }
        }
        return String(decoding: output, as: UTF8.self)
    }
}
