import EscrowEgress
import EscrowEgressWire
import EscrowJSON

private let limits = ExchangeLimits(mediaType: "application/json", maxBytes: 1000, isUnlinkable: false)

/// Reads a line as each of the messages: what is accepted is within the limits, and reads the same when it is written again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzEgressWire(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
    let line = Array(UnsafeBufferPointer(start: data, count: size))
    if let report = try? SendReport(line: line, limits: limits) {
        if case .answer(let status, let isTyped, let bytes, _) = report {
            precondition((200...999).contains(status) && bytes <= (isTyped ? limits.maxBytes : 0))
        }
        let again = try? SendReport(line: JSONWriter.line(report.line), limits: limits)
        precondition(again == report, "a report reads differently")
    }
    if let order = try? SendOrder(line: line) {
        precondition(
            order.bytes <= SendOrder.mostBytes && order.destination.pins.allSatisfy { $0.count == 32 })
        precondition(
            (try? SendOrder(line: JSONWriter.line(order.line))) == order, "an order reads differently")
    }
    if let greeting = try? SendGreeting(line: line) {
        precondition(greeting.roots <= SendGreeting.mostBytes)
        precondition((try? SendGreeting(line: JSONWriter.line(greeting.line))) == greeting)
    }
    return 0
}
