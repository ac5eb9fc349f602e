import EscrowJSON
public import EscrowManifest

/// Leaves of a JSON answer what the manifest declares: the rest is not the plugin's to read.
public struct AnswerSieve: Sendable {
    /// Names that are kept, each with what is kept of it; empty for all of it.
    private struct Kept {
        var names: [(name: String, kept: Kept)] = []

        /// Byte for byte: to Swift the Kelvin sign is a K, in a dictionary too.
        func index(of name: String) -> Int? {
            names.firstIndex { $0.name.utf8.elementsEqual(name.utf8) }
        }
    }

    private let kept: Kept?

    /// Reads what an endpoint declares.
    public init(_ endpoint: EgressEndpoint) {
        kept = endpoint.response.members.map { paths in
            var kept = Kept()
            for path in paths { Self.add(path.split(separator: ".").map(String.init)[...], to: &kept) }
            return kept
        }
    }

    private static func add(_ path: ArraySlice<String>, to kept: inout Kept) {
        guard let first = path.first else { return }
        let index = kept.index(of: first) ?? kept.names.endIndex
        if index == kept.names.endIndex { kept.names.append((first, Kept())) }
        add(path.dropFirst(), to: &kept.names[index].kept)
    }

    /// The answer as the plugin gets it; nil for one that is no JSON.
    public func sift(_ response: IncomingResponse) -> IncomingResponse? {
        guard let kept else { return response }
        // A status without a body has nothing to be left out.
        guard !response.body.isEmpty else { return response }
        let limits = JSONParser.Limits(bytes: max(response.body.count, 1), values: 1_000_000)
        guard let value = try? JSONParser.parse(response.body, limits: limits).value else { return nil }
        var removed: [String] = []
        let left = Self.sift(value, kept, "", &removed) ?? .null
        var sifted = IncomingResponse(
            status: response.status, body: JSONWriter.line(left), mediaType: response.mediaType,
            droppedHeaders: response.droppedHeaders)
        let names = Set(removed).sorted()
        sifted.removed = names.count
        sifted.removedNames = names.prefix(IncomingResponse.mostNames).map {
            String($0.dropFirst().prefix(IncomingResponse.longestName))
        }
        return sifted
    }

    private static func sift(
        _ value: JSONValue, _ kept: Kept, _ path: String, _ removed: inout [String]
    ) -> JSONValue? {
        if kept.names.isEmpty, !path.isEmpty { return value }
        switch value {
        case .object(let members):
            var left: [(name: String, value: JSONValue)] = []
            for member in members {
                let inner = path + "." + member.name
                if let next = kept.index(of: member.name).map({ kept.names[$0] }),
                    let value = sift(member.value, next.kept, inner, &removed)
                {
                    left.append((next.name, value))
                } else {
                    removed.append(inner)
                }
            }
            return .object(left)
        case .array(let items): return .array(items.compactMap { sift($0, kept, path, &removed) })
        // Something else stands where members were declared.
        default: return nil
        }
    }
}
