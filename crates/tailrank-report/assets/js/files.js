// Files of the report: beside the page, or packed inside it where the page is a single file.
((tr) => {
  const packed = (name) => document.querySelector(`script[data-file="${CSS.escape(name)}"]`);

  // The bytes of what was packed: gzip in base64.
  tr.unzip = (bytes) => {
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).arrayBuffer();
  };
  const bytesOf = (text) => {
    try {
      return tr.unzip(tr.decode(text, Uint8Array));
    } catch (problem) {
      return Promise.reject(problem);
    }
  };
  const unpack = (node) => bytesOf(node.textContent);
  tr.unpackText = bytesOf;

  // Called by plotly.js: runs the script that was packed.
  tr.packed = (length, letters) => {
    tr.unpacked = tr.unzip(tr.fromLetters(letters, length)).then((bytes) => {
      // The page's policy allows code made of text, which 3-D figures need anyway.
      (0, eval)(new TextDecoder().decode(bytes));
    });
  };

  // Runs a script of the report.
  tr.load = (name, done, failed) => {
    const node = packed(name);
    if (node) {
      unpack(node)
        .then((bytes) => {
          const script = tr.h("script", {});
          // A task's script is UTF-16, as its first bytes say.
          const wide = new Uint8Array(bytes, 0, Math.min(1, bytes.byteLength))[0] === 0xff;
          script.textContent = new TextDecoder(wide ? "utf-16le" : "utf-8").decode(bytes);
          document.head.appendChild(script);
          done();
        })
        .catch(failed);
      return;
    }
    const script = tr.h("script", { src: name });
    script.onload = done;
    script.onerror = failed;
    document.head.appendChild(script);
  };

  const TYPES = { svg: "image/svg+xml", csv: "text/csv", json: "application/json", md: "text/markdown", tex: "text/plain", toml: "text/plain" };
  const type = (name) => TYPES[name.split(".").pop()] || "application/octet-stream";

  // Pictures of a single file, as they come into view; links that save what they point to.
  tr.unpackFiles = () => {
    const show = (image) => {
      const name = image.getAttribute("data-src"),
        node = packed(name);
      image.removeAttribute("data-src");
      if (!node) return;
      unpack(node).then((bytes) => {
        image.src = URL.createObjectURL(new Blob([bytes], { type: type(name) }));
      });
    };
    const watcher = new IntersectionObserver(
      (entries) => {
        entries.forEach((entry) => {
          if (!entry.isIntersecting) return;
          watcher.unobserve(entry.target);
          show(entry.target);
        });
      },
      { rootMargin: "600px" }
    );
    document.querySelectorAll("img[data-src]").forEach((image) => {
      watcher.observe(image);
    });
    window.addEventListener("beforeprint", () => {
      document.querySelectorAll("img[data-src]").forEach(show);
    });
    document.addEventListener("click", (event) => {
      const link = event.target.closest && event.target.closest("a[href]"),
        name = link && link.getAttribute("href"),
        node = name && packed(name);
      if (!node) return;
      event.preventDefault();
      unpack(node).then((bytes) => {
        const saved = tr.h("a", { href: URL.createObjectURL(new Blob([bytes], { type: type(name) })), download: name.split("/").pop() });
        saved.click();
      });
    });
    // A page in one file has one form of every table.
    if (packed("plotly.js"))
      document.querySelectorAll('a[href$=".parquet"]').forEach((link) => {
        link.remove();
      });
  };
})(tailrank);
