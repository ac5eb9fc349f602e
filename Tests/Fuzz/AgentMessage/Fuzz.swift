import EscrowJSON

/// What an agent sends, a line. What is taken has an object for parameters, and an id that is written back as it came.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzAgentMessage(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
    guard let data, size > 0 else { return 0 }
    let bytes = Array(UnsafeBufferPointer(start: data, count: size))
    do throws(AgentMessage.Fault) {
        switch try AgentMessage(line: bytes) {
        case .request(let id, let method, let params):
            precondition(params.members != nil && method.utf8.count <= 128, "no request")
            let line = JSONWriter.line([
                "jsonrpc": "2.0", "id": id.json, "method": .string(method), "params": params,
            ])
            guard case .request(let again, let name, let same)? = try? AgentMessage(line: line) else {
                // Escapes may take more room than there was.
                precondition(line.count > AgentMessage.maximumBytes / 8, "a request is no request")
                return 0
            }
            precondition(again == id && name == method && same == params, "a request reads differently")
        case .notification(_, let params): precondition(params.members != nil, "no notification")
        }
    } catch {
        if case .unreadable = error, let value = try? JSONParser.parse(bytes).value {
            preconditionFailure("JSON is none: \(value)")
        }
    }
    return 0
}
