"""Write the files of docs/vectors/."""

from tests.vectors.files import FOLDER, texts

if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, text in texts().items():
        (FOLDER / name).write_text(text, encoding="ascii")
