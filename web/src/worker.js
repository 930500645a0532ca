// Talks to the program and decodes what it sends, away from the thread that draws.
import { decode } from "./wire.js";
import { colours } from "./colours.js";

let socket = null, address = "", wait = 250;

function connect() {
  socket = new WebSocket(address);
  socket.binaryType = "arraybuffer";
  socket.onopen = () => {
    wait = 250;
    postMessage({ connected: true });
    ask();
  };
  socket.onclose = () => {
    postMessage({ connected: false });
    setTimeout(connect, wait);
    wait = Math.min(4000, 2 * wait);
  };
  socket.onmessage = ({ data }) => {
    if (typeof data === "string") return postMessage({ message: JSON.parse(data) });
    const bytes = data.byteLength, frame = decode(data);
    frame.colours = colours(frame);
    if (frame.kind === "mesh")
      return postMessage({ mesh: frame }, [frame.positions, frame.normals, frame.triangles, frame.edges, frame.colours].map((a) => a.buffer));
    frame.bytes = bytes;
    postMessage({ frame }, [frame.places.buffer, frame.values.buffer, frame.kinds.buffer, frame.sizes.buffer, frame.colours.buffer]);
  };
}

const send = (message) => socket?.readyState === WebSocket.OPEN && socket.send(JSON.stringify(message));
const ask = () => send({ next: 1 });

self.onmessage = ({ data }) => {
  if (data.connect) {
    address = data.connect;
    connect();
  } else if (data.drawn) {
    ask();
  } else {
    send(data);
  }
};
