/// A kind of host link with its pace, as data with its source.
public struct LinkPreset: Sendable, Hashable {
    /// What scenario files call it.
    public var name: String
    /// Nil carries everything at once.
    public var pacing: LinkPacing?
    /// Where the numbers come from.
    public var source: String

    public static let catalogue: [LinkPreset] = [
        LinkPreset(
            name: "usb-uart-115200", pacing: .usbUART115200,
            source: "companion-protocol §1.2: 115200 baud, 8N1; a USB-to-UART bridge passes packets of 64 bytes"),
        LinkPreset(
            name: "usb-cdc", pacing: .usbCDC,
            source: "companion-protocol §1.2; USB full speed: bulk packets of 64 bytes, one a frame of 1 ms as a floor"),
        LinkPreset(
            name: "tcp", pacing: .tcp,
            source: "companion-protocol §1.3; Ethernet segment of 1460 bytes, 3 ms as on a quiet local Wi-Fi"),
        LinkPreset(
            name: "ble-esp32", pacing: .bleESP32,
            source: "companion-protocol §1.5: one notification each 60 ms; latency of one connection interval"),
        LinkPreset(
            name: "ble-nrf52", pacing: .bleNRF52,
            source: "companion-protocol §1.5: as fast as the stack takes them; connection interval of 15 ms"),
        LinkPreset(name: "unpaced", pacing: nil, source: "no link at all"),
    ]
}
