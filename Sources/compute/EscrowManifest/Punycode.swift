/// Unicode text as letters, digits and `-`: RFC 3492.
enum Punycode {
    private static let base = 36
    private static let leastThreshold = 1
    private static let mostThreshold = 26
    private static let skew = 38
    private static let damp = 700
    private static let firstBias = 72
    private static let firstCode = 0x80

    /// The text; nil where the code is none. Section 6.2.
    static func decode(_ code: [UInt8]) -> [Unicode.Scalar]? {
        // The last "-" ends the plain letters.
        let end = code.lastIndex(of: UInt8(ascii: "-"))
        let plain = code[..<(end ?? 0)]
        guard plain.allSatisfy({ $0 < 0x80 }) else { return nil }
        var output = plain.map { Unicode.Scalar($0) }
        var rest = code[(end.map { $0 + 1 } ?? 0)...]
        var letter = firstCode
        var index = 0
        var bias = firstBias
        while !rest.isEmpty {
            let before = index
            var weight = 1
            var step = base
            while true {
                guard let byte = rest.popFirst(), let digit = digit(of: byte) else { return nil }
                let (product, isLarge) = digit.multipliedReportingOverflow(by: weight)
                let (sum, isLarger) = index.addingReportingOverflow(product)
                guard !isLarge, !isLarger else { return nil }
                index = sum
                let threshold = threshold(step, bias)
                if digit < threshold { break }
                let (next, isTooLarge) = weight.multipliedReportingOverflow(by: base - threshold)
                guard !isTooLarge else { return nil }
                weight = next
                step += base
            }
            let count = output.count + 1
            bias = adapted(index - before, count, isFirst: before == 0)
            guard index / count <= 0x10_FFFF - letter else { return nil }
            letter += index / count
            index %= count
            guard let scalar = Unicode.Scalar(UInt32(letter)) else { return nil }
            output.insert(scalar, at: index)
            index += 1
        }
        return output
    }

    /// The code of a text. Section 6.3.
    static func encode(_ text: [Unicode.Scalar]) -> [UInt8] {
        var output = text.filter(\.isASCII).map { UInt8($0.value) }
        let plainCount = output.count
        if plainCount > 0 { output.append(UInt8(ascii: "-")) }
        var letter = firstCode
        var delta = 0
        var bias = firstBias
        var done = plainCount
        while done < text.count, let next = text.lazy.map({ Int($0.value) }).filter({ $0 >= letter }).min() {
            // A label has 63 letters at most, and a letter is below 2²¹: no overflow.
            delta += (next - letter) * (done + 1)
            letter = next
            for scalar in text {
                if scalar.value < UInt32(letter) { delta += 1 }
                guard scalar.value == UInt32(letter) else { continue }
                output += digits(of: delta, bias)
                bias = adapted(delta, done + 1, isFirst: done == plainCount)
                delta = 0
                done += 1
            }
            delta += 1
            letter += 1
        }
        return output
    }

    /// A number as a chain of digits whose end shows by itself.
    private static func digits(of number: Int, _ bias: Int) -> [UInt8] {
        var digits: [UInt8] = []
        var rest = number
        var step = base
        while true {
            let threshold = threshold(step, bias)
            if rest < threshold { break }
            digits.append(byte(threshold + (rest - threshold) % (base - threshold)))
            rest = (rest - threshold) / (base - threshold)
            step += base
        }
        digits.append(byte(rest))
        return digits
    }

    private static func threshold(_ step: Int, _ bias: Int) -> Int {
        min(max(step - bias, leastThreshold), mostThreshold)
    }

    /// Section 6.1.
    private static func adapted(_ delta: Int, _ count: Int, isFirst: Bool) -> Int {
        var delta = isFirst ? delta / damp : delta / 2
        delta += delta / count
        var step = 0
        while delta > (base - leastThreshold) * mostThreshold / 2 {
            delta /= base - leastThreshold
            step += base
        }
        return step + (base - leastThreshold + 1) * delta / (delta + skew)
    }

    /// Lower case alone: a label in capitals would be a second spelling.
    private static func digit(of byte: UInt8) -> Int? {
        switch byte {
        case 0x61...0x7A: Int(byte) - 0x61
        case 0x30...0x39: Int(byte) - 0x30 + 26
        default: nil
        }
    }

    private static func byte(_ digit: Int) -> UInt8 { UInt8(digit < 26 ? 0x61 + digit : 0x30 + digit - 26) }
}
