import EscrowEgress
import Testing

@Suite("Which addresses a request may go to")
struct AddressPolicyTests {
    @Test(
        "An address inside, on the link, or in another form of one is refused",
        arguments: [
            "0.0.0.0", "0.1.2.3", "10.0.0.1", "100.64.0.1", "100.127.255.255", "127.0.0.1", "127.255.255.254",
            "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.1", "192.0.2.1", "192.88.99.1",
            "192.31.196.1", "192.52.193.1", "192.175.48.1", "2620:4f:8000::1", "100:0:0:1::1", "2001:1ff::1",
            "::ffff:0:0", "::ffff:a00:1", "64:ff9b::a9fe:a9fe", "fd00:ec2::254",
            "192.168.1.1", "198.18.0.1", "198.19.255.255", "198.51.100.7", "203.0.113.9", "224.0.0.1",
            "239.255.255.255", "240.0.0.1", "255.255.255.255",
            "::", "::1", "::127.0.0.1", "::ffff:127.0.0.1", "::ffff:8.8.8.8", "::ffff:0:127.0.0.1",
            "64:ff9b::7f00:1", "64:ff9b:1::1", "100::1", "2001::1", "2001:db8::1", "2002:7f00:1::",
            "2002:808:808::",
            "3fff::1", "5f00::1", "fc00::1", "fd12:3456::1", "fe80::1", "febf::1", "fec0::1", "ff02::1",
            "4000::1", "e000::1",
        ])
    func refused(text: String) throws {
        let address = try #require(IPAddress(text))
        #expect(AddressPolicy.refusal(of: address) != nil)
    }

    @Test(
        "An address of the public internet is allowed, up to the edge of what is not",
        arguments: [
            "1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0",
            "126.255.255.255",
            "128.0.0.0", "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "192.0.1.0",
            "192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0", "223.255.255.255",
            "2001:200::1", "2003::1", "2606:4700:4700::1111", "2a00:1450:4001::", "3ffe::1",
        ])
    func allowed(text: String) throws {
        let address = try #require(IPAddress(text))
        #expect(AddressPolicy.refusal(of: address) == nil)
    }

    @Test(
        "Shortened, octal, decimal and zoned spellings are no addresses",
        arguments: [
            "127.1", "0177.0.0.1", "0x7f.0.0.1", "2130706433", "127.0.0.1.", " 127.0.0.1", "fe80::1%eth0",
            "[::1]",
            "1.2.3", "1.2.3.4.5", "256.1.1.1", "", "localhost",
        ])
    func spelling(text: String) { #expect(IPAddress(text) == nil) }

    @Test("An address reads back as it was written")
    func description() {
        #expect(IPAddress("192.0.2.1")?.description == "192.0.2.1")
        #expect(IPAddress("2001:DB8:0:0::1")?.description == "2001:db8::1")
        #expect(IPAddress(bytes: [1, 2, 3]) == nil)
    }
}
