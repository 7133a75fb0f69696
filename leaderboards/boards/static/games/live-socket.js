// A socket that only listens, and notices all the same when its line has died without a word.

const ASK_EVERY = 60_000;

/** Open a socket; if it does not answer before it is asked again, it is closed. @param {string} path @param {(message: any) => void} heard */
export function openSocket(path, heard) {
  const socket = new WebSocket(`${location.protocol === "https:" ? "wss:" : "ws:"}//${location.host}${path}`);
  let isAsked = false;
  const timer = setInterval(() => {
    if (isAsked || socket.readyState !== WebSocket.OPEN) return socket.close();
    isAsked = true;
    socket.send('{"type":"ping","id":1}');
  }, ASK_EVERY);
  socket.onmessage = ({ data }) => {
    isAsked = false;
    const message = JSON.parse(data);
    if (message.type !== "pong") heard(message);
  };
  socket.addEventListener("close", () => clearInterval(timer));
  return socket;
}
