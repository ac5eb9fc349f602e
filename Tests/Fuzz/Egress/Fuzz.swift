import EscrowDiagnostics
import EscrowEgress
import EscrowJSON
import EscrowManifest

private let start = Array(
    """
    { "schema": "escrow.plugin/1", "id": "org.example.fuzz", "version": "1.0.0", "sequence": 1, "title": "Fuzz",
      "purpose": { "code": "planning", "text": "Fuzz" }, "publisher": { "name": "Example" },
      "host": ">=0.1.0 <1.0.0", "protocol": { "major": 1, "mode": "ask", "features": ["rows", "fetch"] },
      "accepts": { "columns": [ { "name": "latitude", "type": "real" } ], "reads": { "Location": ["latitude"] } },
      "result": { "kind": "record", "fields": { "t": { "type": "real" } }, "maxBytes": 64 },
      "sandbox": { "profile": "strict" },
      "artifacts": [ { "platform": "linux-x86_64", "path": "bin/fuzz", "linkage": "static" } ], "egress": [
    """.utf8)

/// The first line is an endpoint of a manifest, every other one what a plugin gives for its fields. A request that is made
/// has the shape of its template: so many lines, one method, host and path, and nothing that ends a line.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let lines = UnsafeBufferPointer(start: data, count: count).split(separator: 0x0A)
    guard let first = lines.first else { return 0 }
    let manifest = try? Manifest.parseAuthored(start + Array(first) + Array("] }".utf8), file: "plugin.json")
    guard let endpoint = manifest?.egress.first else { return 0 }
    precondition(endpoint.callBits >= 0 && endpoint.callBits.isFinite)
    precondition(endpoint.capacityBits >= endpoint.callBits)
    precondition((try? EgressTemplate(endpoint.template.description)) == endpoint.template)
    let template = RequestTemplate(endpoint)
    for line in lines.dropFirst() {
        guard let given = (try? JSONParser.parse(Array(line)))?.value.members else { continue }
        guard let filled = try? template.fill(given) else { continue }
        check(filled, of: endpoint)
        guard let again = try? template.fill(given.reversed()) else {
            preconditionFailure("the order of the fields counts")
        }
        precondition(again.request == filled.request, "the order of the fields shows")
    }
    return 0
}

private func check(_ filled: RequestTemplate.Filled, of endpoint: EgressEndpoint) {
    let request = filled.request
    precondition(request.host == endpoint.template.host && request.method == endpoint.method.rawValue)
    precondition(request.target.utf8.first == UInt8(ascii: "/"))
    let unreserved = request.target.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            || "-._~/?=&%".utf8.contains(byte)
    }
    precondition(unreserved, "the target has a character that is not encoded")
    let path = request.target.utf8.prefix { $0 != UInt8(ascii: "?") }
    let segments = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst()
    precondition(segments.count == max(1, endpoint.template.path.count), "the path has other segments")
    precondition(segments.allSatisfy { !$0.elementsEqual(".".utf8) && !$0.elementsEqual("..".utf8) })
    let body = request.body ?? []
    let head = request.bytes.dropLast(body.count)
    precondition(head.allSatisfy { (0x20...0x7E).contains($0) || $0 == 0x0D || $0 == 0x0A })
    // The request line, the headers, and the empty line; no line ends but those.
    precondition(head.count { $0 == 0x0A } == request.headers.count + 2, "a line was added")
    precondition(head.count { $0 == 0x0D } == request.headers.count + 2)
    precondition(request.headers.filter { $0.name == "host" }.count == 1)
    if !body.isEmpty { precondition((try? JSONParser.parse(body)) != nil, "the body is no JSON") }
    for value in filled.values {
        precondition(endpoint.fields.contains(value.field))
        if let choices = value.field.bounds.oneOf, value.field.bounds.type == .text {
            let isListed = choices.contains { $0.json.string?.utf8.elementsEqual(value.text.utf8) == true }
            precondition(isListed, "a text that is not in its list")
        }
    }
}
