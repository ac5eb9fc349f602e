import EscrowEgress
import EscrowJSON
import Testing

/// Names of an answer that look, or to Swift equal, the declared ones.
@Suite("Only the declared members come through, byte for byte")
struct AnswerNameTests {
    @Test("A server cannot write a declared name in another way, to tell the plugin more by it")
    func spellings() throws {
        let endpoint = try Fixture.endpoint(
            "", url: "https://api.example.org/", members: #", "members": ["K", "a.K"]"#)
        let kelvin = "\u{212A}"
        let body = #"{"\#(kelvin)":1,"K":2,"a":{"\#(kelvin)":3,"K":4},"b":5}"#
        let answer = IncomingResponse(status: 200, body: Array(body.utf8), mediaType: "application/json")
        let sifted = try #require(AnswerSieve(endpoint).sift(answer))
        #expect(sifted.body == Array(#"{"K":2,"a":{"K":4}}"#.utf8))
        #expect(sifted.removed == 3)
        let only = IncomingResponse(
            status: 200, body: Array(#"{"\#(kelvin)":1}"#.utf8), mediaType: "application/json")
        #expect(AnswerSieve(endpoint).sift(only)?.body == Array("{}".utf8))
    }
}
