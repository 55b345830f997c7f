# The memory in a volume: docker run --interactive --rm --volume mnemo:/memory mnemo
FROM python:3.13-slim
COPY . /src
RUN pip install --no-cache-dir /src && rm -rf /src \
    && useradd --create-home mnemo && install --directory --owner=mnemo --mode=700 /memory
USER mnemo
ENV MNEMO_DB=/memory/facts.db
VOLUME /memory
ENTRYPOINT ["mnemo"]
CMD ["serve"]
