import ScenarioModel
import Testing

@Suite struct `Testbed files` {
    private func read(_ text: String) throws -> TestbedDocument {
        try TestbedDocument(try YAMLFile.parse(Array(text.utf8), file: "desk.yaml"), file: "desk.yaml")
    }

    @Test func `bind roles to addresses`() throws {
        let bench = try read(
            """
            title: desk
            radios:
              alice: tcp:radio.lan
              bob: { at: "tcp:[::1]:5001", key: 9233ea }
              carol: pty:/tmp/carol
            """)
        #expect(bench["alice"]?.address == .tcp(host: "radio.lan", port: 5_000))
        #expect(bench["bob"]?.address == .tcp(host: "::1", port: 5_001))
        #expect(bench["bob"]?.key == [0x92, 0x33, 0xEA])
        #expect(bench["carol"]?.address == .terminal(path: "/tmp/carol"))
        #expect(bench["bob"]?.address?.description == "tcp:[::1]:5001")
        #expect(bench["dora"] == nil)
    }

    @Test(arguments: [
        ("radios: {}", "no radio here can be reached"),
        ("title: t", "needs \"radios\""),
        ("radios: { alice: udp:x }", "desk.yaml:1:18: \"udp:x\" is no address of a radio"),
        ("radios: { alice: \"tcp:h:0\" }", "is no address"), ("radios: { alice: \"tcp:h:99999\" }", "is no address"),
        ("radios: { alice: \"tcp:::1:5000\" }", "is no address"), ("radios: { alice: \"tcp:\" }", "is no address"),
        ("radios: { alice: pty:relative }", "is no address"),
        ("radios: { alice: { key: ab } }", "needs its whole public key"),
        ("radios: { alice: { at: tcp:h, pin: 1 } }", "unknown key \"pin\""),
        ("radios: { alice: tcp:h, bob: \"tcp:h:5000\" }", "bob and alice are at the same address"),
    ])
    func `tell what is wrong and where`(text: String, message: String) {
        let error = #expect(throws: ScenarioErrors.self) { try read(text) }
        #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
    }
}
