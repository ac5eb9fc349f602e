import EscrowJSON
import Testing

@Suite struct Base64Tests {
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
    ])
    func isThatOfTheRFC(plain: String, text: String) {
        #expect(Base64.encode(Array(plain.utf8)) == text)
        #expect(Base64.decode(Array(text.utf8)) == Array(plain.utf8))
    }

    @Test(arguments: ["Zg", "Zg=", "Zh==", "Zm9=", "Z===", "====", "Zg==Zg==", "Zm9v\n", "Zm-_", "Zg==="])
    func hasOneSpellingForAValue(text: String) { #expect(Base64.decode(Array(text.utf8)) == nil) }

    @Test func keepsEveryByte() {
        let all = (0...255).map { UInt8($0) }
        for count in 0..<256 {
            let bytes = Array(all.prefix(count))
            #expect(Base64.decode(Array(Base64.encode(bytes).utf8)) == bytes)
        }
    }
}
