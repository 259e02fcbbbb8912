"""Search by meaning, put together for the server: the embedder's process, the index, and the thread that fills it."""

from bigmind.embedding.downloads import Downloads
from bigmind.embedding.embedder import Embedder
from bigmind.embedding.meaning import Meaning
from bigmind.local.program import download_command, embedder_command
from bigmind.paths import make_private_folder, models_folder
from bigmind.search.indexer import Indexer
from bigmind.store.store import Store


class MeaningSearch:
    """The parts of search by meaning; started and stopped together."""

    def __init__(self, store: Store, *, wanted: bool = True) -> None:
        """Put it together; nothing is started. Not `wanted`: search goes by words alone."""
        why_not = store.backend.vectors.why_none() if wanted else "it is switched off (BIGMIND_MEANING)"
        folder = models_folder(store.home)
        self._embedder = Embedder(embedder_command(), folder)
        self._downloads = Downloads(download_command(), folder)
        self._indexer = None if why_not else Indexer(store, self._embedder)
        self._folder = folder
        self.meaning = (
            Meaning(None, None, why_not)
            if self._indexer is None
            else Meaning(
                self._embedder,
                store.backend.vectors,
                "",
                self._downloads,
                self._indexer.has_stopped,
                process_searches=store.backend.is_one_file,
            )
        )

    def start(self) -> None:
        """Begin to embed what waits."""
        if self._indexer is not None:
            make_private_folder(self._folder)  # before a library makes it as wide as it likes
            self._indexer.start()

    def stop(self) -> None:
        """End; what waits is embedded after the next start."""
        self._downloads.close()
        if self._indexer is not None:
            self._indexer.stop()
        self._embedder.close()
