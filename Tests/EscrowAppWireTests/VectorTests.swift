import EscrowAppWire
import EscrowDiagnostics
import FoundationEssentials
import Testing

@Suite struct VectorTests {
    private struct Vector {
        let verdict: String
        let line: [UInt8]
    }

    private func vectors(_ name: String) throws -> [Vector] {
        var path = #filePath.split(separator: "/").dropLast(3).map(String.init)
        path += ["Tests", "Vectors", "appwire", name]
        let text = try String(contentsOfFile: "/" + path.joined(separator: "/"), encoding: .utf8)
        return try text.split(separator: "\n").map { line in
            let tab = try #require(line.firstIndex(of: "\t"), "a vector without a tab")
            return Vector(verdict: String(line[..<tab]), line: Array(line[line.index(after: tab)...].utf8))
        }
    }

    @Test func `requests are read, written the same, or refused by the right rule`() throws {
        let vectors = try vectors("requests.txt")
        #expect(vectors.count > 40)
        for vector in vectors {
            let text = String(decoding: vector.line, as: UTF8.self)
            do throws(AppWireError) {
                let request = try AppRequest(line: vector.line)
                #expect(vector.verdict == "ok", "\(text)")
                #expect(try request.line() == vector.line + [0x0A], "\(text)")
            } catch {
                #expect(vector.verdict == error.code.rawValue + (error.id.map { ":\($0)" } ?? ""), "\(text)")
            }
        }
    }

    @Test func `answers are read, written the same, or refused by the right rule`() throws {
        let vectors = try vectors("answers.txt")
        #expect(vectors.count > 50)
        for vector in vectors {
            let text = String(decoding: vector.line, as: UTF8.self)
            do throws(AppWireError) {
                let message = try HostMessage(line: vector.line)
                #expect(vector.verdict == "ok", "\(text)")
                #expect(try message.line() == vector.line + [0x0A], "\(text)")
            } catch {
                #expect(vector.verdict == error.code.rawValue, "\(text)")
            }
        }
    }
}
