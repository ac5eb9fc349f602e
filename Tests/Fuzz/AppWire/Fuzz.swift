import EscrowAppWire

/// Feeds the bytes to both readers, in pieces of a size that the first byte chooses. Whatever is accepted must be
/// written and read again to the same message, and pieces must not change what the lines are.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzAppWire(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
    guard let data, size > 0 else { return 0 }
    let bytes = Array(UnsafeBufferPointer(start: data, count: size))
    let piece = max(1, Int(data[0]))
    var found: [[UInt8]] = []
    var buffer = LineBuffer(cap: 1 << 16)
    do throws(AppWireError) {
        var at = 0
        while at < bytes.count {
            let end = min(at + piece, bytes.count)
            buffer.append(bytes[at..<end])
            while let line = try buffer.next() { found.append(line) }
            at = end
        }
        let kept = found.reduce(0) { $0 + $1.count + 1 } + buffer.pending
        precondition(kept == bytes.count, "bytes are lost")
    } catch {
        precondition(error.reason == .lineTooLong)
    }
    let parts = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    precondition(zip(found, parts).allSatisfy { $0.elementsEqual($1) }, "pieces change the lines")
    for line in found { read(line) }
    return 0
}

private func read(_ line: [UInt8]) {
    if let request = try? AppRequest(line: line) {
        // Writing may take more room than reading did, by escapes; nothing else may go wrong.
        do throws(AppWireError) {
            let again = try AppRequest(line: Array(request.line().dropLast()))
            precondition(again == request, "a request reads differently")
        } catch {
            precondition(error.reason == .lineTooLong, "a written request is refused")
        }
    }
    if let message = try? HostMessage(line: line) {
        do throws(AppWireError) {
            let again = try HostMessage(line: Array(message.line().dropLast()))
            precondition(again == message, "an answer reads differently")
        } catch {
            precondition(error.reason == .lineTooLong, "a written answer is refused")
        }
    }
}
