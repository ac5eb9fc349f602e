import EscrowJSON
import EscrowPlugin
import EscrowPluginTesting
import EscrowTabular
import Testing

/// A mock host answers a plugin's requests as its manifest has them sent: one by one, or together.
@Suite struct TogetherTests {
    private static let responses: [String: (status: Int, mediaType: String, bytes: [UInt8])] = [
        "a": (200, "application/json", Array("{}".utf8)), "b": (404, "text/plain", Array("none".utf8)),
    ]

    private func said(_ steps: [[String]], together: Bool) throws -> JSONValue? {
        var host = try MockHost(columns: [Field("a", type: .integer)])
        host.responses = Self.responses
        host.isTogether = together
        return try host.run(Asker(steps: steps)).record?["said"]
    }

    @Test func requestsTogetherAreAnsweredInTheOrderOfTheAsks() throws {
        #expect(try said([["b", "a", "b"]], together: true) == "404 none, 200 {}, 404 none")
    }

    @Test func thereIsOneAskAndNoneByItself() throws {
        #expect(
            try said([["a"], ["b"], ["a", "b"]], together: true)
                == "the host answered egress-together: not sent, the host answered egress-together: not sent, 200 {}, 404 none"
        )
        #expect(
            try said([["a", "b"], ["b", "a"]], together: true)
                == "200 {}, 404 none, the host answered egress-together: not sent")
        #expect(
            try said([["a"], ["b", "a"]], together: false)
                == "200 {}, the host answered egress-together: not sent")
    }

    @Test func oneThatIsNotDeclaredRefusesAll() throws {
        #expect(
            try said([["a", "other"]], together: true) == "the host answered egress-undeclared: not sent")
    }
}

/// Asks for one endpoint by itself, and for several together.
private struct Asker: ComputePlugin {
    let steps: [[String]]

    init() { steps = [] }
    init(steps: [[String]]) { self.steps = steps }

    func compute(_ run: borrowing Run) throws -> Result {
        var said: [String] = []
        for step in steps {
            do {
                if step.count == 1 {
                    said.append(Self.words(try run.fetch(step[0])))
                } else {
                    for end in try run.fetchTogether(step.map { Request($0) }) {
                        said.append(Self.words(try end.get()))
                    }
                }
            } catch let error as PluginError where error.code == .hostError {
                said.append(error.message)
            }
        }
        return ["said": .text(said.joined(separator: ", "))]
    }

    private static func words(_ response: Response) -> String {
        "\(response.status) \(String(decoding: response.body, as: UTF8.self))"
    }
}
