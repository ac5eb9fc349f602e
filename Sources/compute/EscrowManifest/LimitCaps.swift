package import EscrowDiagnostics
package import EscrowJSON

/// The most that the individual lets any plugin use, whatever its manifest asks for.
package struct LimitCaps: Sendable, Equatable {
    private var values: [LimitName: Int] = [:]

    /// No caps.
    package init() {}

    package subscript(_ name: LimitName) -> Int? { values[name] }

    /// Reads the member `limits` of the configuration. Throws E0019 naming the place in the file.
    package init(_ node: JSONNode, file: String) throws(Diagnostic) {
        func failure(_ what: String, _ position: JSONPosition, _ help: String) -> Diagnostic {
            Diagnostic(
                .configurationLimitInvalid, "a limit of the configuration is not understood: \(what)",
                at: .init(file: file, line: position.line, column: position.column), help: help)
        }
        guard case .object(let members) = node.content else {
            throw failure("it is no object", node.position, "for example { \"wallSeconds\": 10 }")
        }
        for member in members {
            // Byte for byte, as all names of members.
            guard
                let name = LimitName.allCases.first(where: {
                    $0.rawValue.utf8.elementsEqual(member.name.utf8)
                })
            else {
                throw failure(
                    "there is no limit \"\(member.name)\"", member.position,
                    "the limits are \(LimitName.allCases.map(\.rawValue).joined(separator: ", "))")
            }
            guard case .integer(let value) = member.value.content, value >= 1, value <= Int64(name.most)
            else {
                throw failure(
                    "\(name.rawValue) is not a whole number from 1 to \(name.most)", member.value.position,
                    "for example { \"\(name.rawValue)\": \(name.standard) }")
            }
            values[name] = Int(value)
        }
    }
}
