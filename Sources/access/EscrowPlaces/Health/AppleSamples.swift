internal import EscrowFormats
internal import EscrowTableKit

/// `Record` elements as rows of `HealthSamples`.
///
/// Records within a `Correlation` also stand on their own in the file, so only those right below the root count.
final class AppleSamples: AppleElements {
    private typealias Column = HealthSpec.Sample

    var row: RowBuilder?
    private let file: FilesTable.File
    private var names = AppleNames()
    private var number = 0
    private var isRecord = false

    init(_ file: FilesTable.File) { self.file = file }

    func start(_ name: UnsafePointer<CChar>, _ attributes: XMLAttributes, in stream: XMLStream) {
        switch stream.depth {
        case 1:
            if !XMLText.equal(name, "HealthData") { stream.refuse("the root element is not HealthData") }
        case 2:
            isRecord = false
            guard XMLText.equal(name, "Record"), let row else { return }
            row.place = stream.offset
            isRecord = set(attributes, row)
        default: break
        }
    }

    func characters(_ bytes: UnsafeRawBufferPointer) {}

    func end(_ name: UnsafePointer<CChar>, in stream: XMLStream) {
        guard stream.depth == 2, let row else { return }
        if !isRecord { row.ruleOut() }
        isRecord = false
        passOn(row, stream)
    }

    /// Sets what the attributes of a record say; false if it is none.
    private func set(_ attributes: XMLAttributes, _ row: RowBuilder) -> Bool {
        var type: UnsafePointer<CChar>?
        var unit: UnsafePointer<CChar>?
        var value: UnsafePointer<CChar>?
        var source: UnsafePointer<CChar>?
        var start: UnsafePointer<CChar>?
        var end: UnsafePointer<CChar>?
        var creation: UnsafePointer<CChar>?
        var index = 0
        while let key = attributes[index], let text = attributes[index + 1] {
            index += 2
            if XMLText.equal(key, "type") {
                type = text
            } else if XMLText.equal(key, "value") {
                value = text
            } else if XMLText.equal(key, "unit") {
                unit = text
            } else if XMLText.equal(key, "startDate") {
                start = text
            } else if XMLText.equal(key, "endDate") {
                end = text
            } else if XMLText.equal(key, "sourceName") {
                source = text
            } else if XMLText.equal(key, "creationDate") {
                creation = text
            }
        }
        // What terms are mostly on comes first: once one rules the row out, the rest is spared.
        guard let type, type.pointee != 0 else { return false }
        number += 1
        let kind = names.short(type)
        row.set(Column.kind, kind[...])
        row.set(Column.startDate, AppleTime.read(start))
        row.set(Column.endDate, AppleTime.read(end))
        if row.wants(Column.value) || row.wants(Column.category) {
            let text = AppleAttributes.text(value)
            if let number = text.flatMap({ XMLText.number($0) }) {
                row.set(Column.value, number)
            } else if let text {
                row.set(Column.category, AppleNames.category(text, of: kind)[...])
            }
        }
        row.set(Column.unit, AppleAttributes.text(unit))
        row.set(Column.sourceName, AppleAttributes.text(source))
        row.set(Column.creationDate, AppleTime.read(creation))
        row.set(Column.filename, file.name)
        row.set(Column.id, StableID.name(file.path, part: number))
        return true
    }
}
