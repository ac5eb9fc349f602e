import EscrowDiagnostics
import EscrowEgress
import EscrowJSON
import EscrowLedger

/// The readers of bytes that others may have written, one by one, for the fuzzer.
@_spi(Fuzzing) public enum HomeBytes {
    /// Reads `config.json`; what is accepted is within its bounds.
    public static func readConfiguration(_ bytes: [UInt8]) {
        guard let read = try? HostConfiguration.parse(bytes, file: "config.json") else { return }
        precondition(read.egress.standIns.values.allSatisfy { (1...65_535).contains($0.port) })
        precondition(read.ledger.copy?.hasPrefix("/") ?? true)
        precondition(read.warnings.count == read.loweredNames.count)
    }

    /// Takes each line for what a ledger says of a request, and the next one for what it says of its end, and exports all.
    public static func exportRequests(_ bytes: [UInt8]) {
        let lines = bytes.split(separator: 0x0A).compactMap { try? JSONParser.parse(Array($0)).value }
        var records: [EgressRecord] = []
        for (index, fields) in lines.enumerated() where fields.members != nil {
            var record = EgressRecord(
                id: fields["id"]?.string, run: "r-1", time: LedgerTime(milliseconds: Int64(index)),
                sent: fields)
            if index + 1 < lines.count {
                record.end = lines[index + 1]
                record.endTime = LedgerTime(milliseconds: Int64(index) + 1)
            }
            precondition(!record.outcome.isEmpty)
            _ = record.json
            records.append(record)
        }
        let archive = HAR.document(records, version: "1")
        let text = JSONWriter.document(archive)
        let read = try? JSONParser.parse(text, limits: .init(bytes: 64 << 20))
        precondition(read?.value == archive, "an archive reads differently")
        precondition(archive["log"]?["entries"]?.array?.count == records.count { $0.id != nil })
    }
}
